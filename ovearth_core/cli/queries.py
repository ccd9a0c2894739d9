"""`ovearth queries`: texts by a language model, verified by one, and checked without any."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .place import DATASET_OR_BENCHMARK, benchmark_file, is_dataset, kept_safe
from .query_sheet import sheet

if TYPE_CHECKING:
    from ..dataset import Dataset
    from ..queries.budget import Caps
    from ..queries.job import Job, Plan
    from ..queries.job_report import JobReport
    from ..queries.language_server import ServerChoice

_DATASET = typer.Argument(help="The dataset's folder, or its dataset.gpkg.")
_BASE_URL = typer.Option(
    None,
    help="Address of a server that speaks OpenAI's protocol, https://host/v1; OPENAI_BASE_URL, or"
    " OpenAI's own, unless given. The key comes from OVEARTH_API_KEY or OPENAI_API_KEY.",
)
_MODEL = typer.Option(None, help="The model, by the server's name for it; it must see pictures.")
_TARGET = typer.Option(None, help="Only this target, by id; repeat for several.")
_STATE = typer.Option(
    None, help="Only targets in this state; repeat for several. Unless given, all but rejected."
)
_LIMIT = typer.Option(None, help="At most so many targets.")
_SIDE = typer.Option(1024, help="The most pixels of a picture's longer side.")
_AT_ONCE = typer.Option(4, help="Requests side by side.")
_TIMEOUT = typer.Option(180.0, help="Seconds to wait for one whole answer.")
_RETRY = typer.Option(False, "--retry-failed", help="Ask anew about targets that failed before.")
_CACHE = typer.Option(
    None, help="Folder in which replies are kept; the user's folder for caches unless given."
)
_DRY_RUN = typer.Option(
    None, help="Write the requests as JSON Lines, pictures and all, and send nothing."
)
_PRICE_IN = typer.Option(None, help="Price of a million tokens that go in, to say the cost.")
_PRICE_OUT = typer.Option(None, help="Price of a million tokens that come out.")
_MAX_COST = typer.Option(
    None, help="Stop before this run costs more, by --price-in and --price-out; run again to go on."
)
_MAX_TOTAL = typer.Option(
    None, "--max-total-tokens", help="Stop before this run takes more tokens, in and out together."
)
_MAX_ANSWER = typer.Option(
    None, "--max-answer-tokens", help="Let the server end each answer after so many tokens."
)
_WHO = typer.Option(None, help="Your name, for the dataset.")


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    group = typer.Typer(
        help="Write texts with a language model, verify and check them.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for command in (generate, verify, check, sheet):
        group.command()(command)
    app.add_typer(group, name="queries")


def generate(
    dataset: Path = _DATASET,
    base_url: str | None = _BASE_URL,
    model: str | None = _MODEL,
    target: list[int] | None = _TARGET,
    state: list[str] | None = _STATE,
    limit: int | None = _LIMIT,
    side: int = _SIDE,
    at_once: int = _AT_ONCE,
    timeout: float = _TIMEOUT,
    retry_failed: bool = _RETRY,
    cache: Path | None = _CACHE,
    dry_run: Path | None = _DRY_RUN,
    price_in: float | None = _PRICE_IN,
    price_out: float | None = _PRICE_OUT,
    max_cost: float | None = _MAX_COST,
    max_total_tokens: int | None = _MAX_TOTAL,
    max_answer_tokens: int | None = _MAX_ANSWER,
    who: str | None = _WHO,
) -> None:
    """Let a language model propose texts for each target.

    It is shown the target in red. Phrases, negatives, referring expressions and reasoning queries
    are stored as proposals. Run again, it goes on where it was. Exit code 1: some targets have
    none.
    """
    from ..queries.job import Job
    from ..queries.selection import Selection
    from ..queries.stages import Generation

    job = Job(
        Generation(), Selection(target or (), state or ()), side, at_once, limit, retry_failed, who
    )
    whom = _Whom(base_url, model, timeout, cache, max_answer_tokens)
    _do(dataset, job, whom, dry_run, _Money(price_in, price_out, max_cost, max_total_tokens))


def verify(
    dataset: Path = _DATASET,
    base_url: str | None = _BASE_URL,
    model: str | None = _MODEL,
    target: list[int] | None = _TARGET,
    state: list[str] | None = _STATE,
    accepted: bool = typer.Option(
        False, "--accepted", help="Also texts that people have accepted, not the proposed alone."
    ),
    limit: int | None = _LIMIT,
    side: int = _SIDE,
    at_once: int = _AT_ONCE,
    timeout: float = _TIMEOUT,
    retry_failed: bool = _RETRY,
    cache: Path | None = _CACHE,
    dry_run: Path | None = _DRY_RUN,
    price_in: float | None = _PRICE_IN,
    price_out: float | None = _PRICE_OUT,
    max_cost: float | None = _MAX_COST,
    max_total_tokens: int | None = _MAX_TOTAL,
    max_answer_tokens: int | None = _MAX_ANSWER,
    who: str | None = _WHO,
) -> None:
    """Let a language model look for wrong texts.

    Negatives that are there, and wrong directions, told from the raw image. What it says is put
    beside the texts, as flags and corrections, and counted; the texts stay.
    """
    from ..queries.job import Job
    from ..queries.selection import LIVE_QUERIES, Selection
    from ..queries.stages import Verification

    stage = Verification(states=LIVE_QUERIES) if accepted else Verification()
    job = Job(stage, Selection(target or (), state or ()), side, at_once, limit, retry_failed, who)
    whom = _Whom(base_url, model, timeout, cache, max_answer_tokens)
    _do(dataset, job, whom, dry_run, _Money(price_in, price_out, max_cost, max_total_tokens))


def check(
    place: Path = DATASET_OR_BENCHMARK,
    json_file: Path | None = typer.Option(None, "--json", help="Write the findings as JSON."),
    flag: bool = typer.Option(
        False, "--flag", help="Put what is found beside the texts, for reviewers (datasets only)."
    ),
    who: str | None = _WHO,
) -> None:
    """List texts that can't be asked, without a model.

    Found from words, categories and geometry: doubled or ambiguous texts, negatives that are there,
    directions that are wrong, texts about a part of what is meant. The exit code is 1 where there
    is anything.
    """
    from ..atomic import write_text
    from ..checking.finding import findings_json
    from ..errors import UsageError
    from ..queries.check import check_benchmark_texts, check_dataset_texts, flag_texts

    if is_dataset(place):
        from ..dataset import Dataset

        opened = Dataset.open(place)
        findings = list(check_dataset_texts(opened))
        if flag:
            flag_texts(opened, findings, who)
    elif flag:
        raise UsageError("--flag is for datasets", str(place), "import the benchmark")
    else:
        from ..benchmark import read_benchmark

        findings = list(check_benchmark_texts(read_benchmark(benchmark_file(place))))
    if json_file is not None:
        write_text(json_file, findings_json(findings), [kept_safe(place)])
    for each in findings:
        typer.echo(str(each))
    if findings:
        typer.echo(f"{len(findings)} problem(s) in the texts of {place}")
        raise typer.Exit(1)
    typer.echo(f"{place}: nothing found in its texts")


@dataclass(frozen=True)
class _Whom:
    """The options that say whom to ask, and how."""

    base_url: str | None
    model: str | None
    timeout: float
    cache: Path | None
    max_answer_tokens: int | None


@dataclass(frozen=True)
class _Money:
    """The options that say what it may cost."""

    price_in: float | None
    price_out: float | None
    max_cost: float | None
    max_total_tokens: int | None


def _do(place: Path, job: Job, whom: _Whom, dry_run: Path | None, money: _Money) -> None:
    from ..dataset import Dataset
    from ..queries.budget import Caps, Spending
    from ..queries.estimate import Prices
    from ..queries.job import plan_job
    from ..queries.job_report import many

    prices = Prices(money.price_in, money.price_out)
    caps = Caps(prices, money.max_cost, money.max_total_tokens)
    if dry_run is None:
        # Before a long look at the dataset: is there a key, and the package?
        _choice(whom)
    opened = Dataset.open(place)
    plan = plan_job(opened, job)
    estimate = plan.estimate
    about = prices.words(estimate.tokens_in, estimate.tokens_out)
    typer.echo(f"{plan.line()}: {many(estimate.requests, 'request')}, about {about}", err=True)
    if not caps.allow(Spending(estimate.tokens_in, estimate.tokens_out)):
        typer.echo(f"that is more than the cap of {caps.words()}: not all will be asked", err=True)
    if dry_run is not None:
        report = _write_requests(opened, job, plan, dry_run, whom)
    else:
        report = _ask(opened, job, plan, whom, caps)
    if report.has_problems:
        raise typer.Exit(1)


def _ask(dataset: Dataset, job: Job, plan: Plan, whom: _Whom, caps: Caps) -> JobReport:
    from ..queries.job import run_job
    from ..queries.reply_cache import ReplyCache, default_cache
    from .progress import counted

    cache = ReplyCache(whom.cache or default_cache())
    with counted(job.stage.name, len(plan.target_ids)) as step:
        report = run_job(dataset, job, plan, _choice(whom), cache, step, caps)
    _tell(report)
    typer.echo(report.line(caps.prices))
    for line in report.shares():
        typer.echo(line)
    return report


def _choice(whom: _Whom) -> ServerChoice:
    """Return the server to ask; UsageError without a model, or a key where one is wanted."""
    from ..errors import UsageError
    from ..queries.language_server import LanguageServer, ServerChoice

    if not 0 < whom.timeout <= 3600:
        raise UsageError(f"a time-out of {whom.timeout:g} s", "--timeout", "give up to 3600")
    choice = ServerChoice.checked(
        whom.model, whom.base_url, answer_s=whom.timeout,
        most_answer_tokens=whom.max_answer_tokens,
    )  # fmt: skip
    LanguageServer(choice).close()
    return choice


def _write_requests(dataset: Dataset, job: Job, plan: Plan, path: Path, whom: _Whom) -> JobReport:
    from ..atomic import AtomicFiles
    from ..queries.job import questions
    from ..queries.job_report import JobReport, many

    report = JobReport()
    with AtomicFiles([dataset.path]) as files, files.open(path) as file:
        for _, question in questions(dataset, job, plan, report):
            file.write(
                json.dumps(
                    question.as_batch_line(whom.model, whom.max_answer_tokens), ensure_ascii=False
                )
                + "\n"
            )
            report.done += 1
    _tell(report)
    typer.echo(f"{many(report.done, 'request')} in {path}, none sent")
    return report


def _tell(report: JobReport) -> None:
    from ..errors import one_line

    for line in report.problems():
        typer.echo(one_line(line), err=True)
