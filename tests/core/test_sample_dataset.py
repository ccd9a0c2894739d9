"""The sample's dataset: clean, with boxes, and left alone once it is there."""

from ovearth_core.checking.dataset_rows import check_dataset
from ovearth_core.sample import write_sample
from ovearth_core.sample.dataset import sample_dataset, summary


def test_a_check_finds_nothing_and_the_export_is_the_benchmark(tmp_path):
    from ovearth_core.dataset.exchange.exporting import export_dataset

    sample = write_sample(tmp_path)
    dataset = sample_dataset(sample)
    assert list(check_dataset(dataset)) == []
    export_dataset(dataset, tmp_path / "out.json", "benchmark", ["approved"], None)
    assert (tmp_path / "out.json").read_bytes() == sample.benchmark.read_bytes()


def test_what_someone_did_in_it_stays_when_the_demo_runs_again(tmp_path):
    sample = write_sample(tmp_path)
    dataset = sample_dataset(sample)
    with dataset.writing("anna", "manager") as edit:
        target = next(iter(edit.targets()))
        edit.set_state(target.id, "returned", "look again")
    again = sample_dataset(write_sample(tmp_path))
    with again.reading() as view:
        assert view.target(target.id).state == "returned"
    assert "20 targets" in summary(again)
