"""Keys and passwords in the addresses of rasters are sent, and neither shown nor stored."""

import base64
import json
from dataclasses import replace

import pytest
import rasterio
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.imagery.address import hidden, refuse_written_out_keys
from ovearth_core.collection.patches import Place
from ovearth_core.collection.patches.grid import PatchShape
from ovearth_core.collection.patches.plan import task_key
from ovearth_core.errors import InputError, UsageError

from .patch_jobs import dataset_at, imagery, images, run, served

SECRET = "hushHUSH42"
WRITTEN_OUT = [
    "http://user:{}@h/a.tif",
    "http://{}@h/a.tif",
    "http://user:a/b{}@h/a.tif",
    "http://h/a.tif?key={}",
    "http://h/a.tif?v=1&sig={}&se=2030-01-01",
    "http://h/a.tif?X-Goog-Signature={}",
    "http://h/a.tif?AWSAccessKeyId={}",
    "http://h/a.tif#token={}",
    "raster:https://h/a.tif?apikey={}",
    "/vsicurl/http://h/a.tif?token={}",
    "/vsizip//vsicurl/http://h/a.zip?token={}/a.tif",
    "/vsicurl?header.Authorization=Bearer%20{}&url=http%3A%2F%2Fh%2Fa.tif",
    "/vsicurl?url=http%3A%2F%2Fh%2Fa.tif%3Ftoken%3D{}%26b%3D1",
    "/vsicurl?url=http%3A%2F%2Fuser%3A{}%40h%2Fa.tif",
    "PG:host=h dbname=d password={} table=t",
    "PG:host=h password='{} {}'",
    "WMS:http://h/w?layers=a&token={}",
    "<GDAL_WMS><UserPwd>user:{}</UserPwd></GDAL_WMS>",
    "xyz:https://user:{}@h/{{z}}/{{x}}/{{y}}.png",
    "https://h/{{z}}.png?key={}",
    "stac:https://h/catalog.json?token={}",
    "wms:https://h/?layers=a&gsd=1&password={}",
]


@pytest.mark.parametrize("text", WRITTEN_OUT)
def test_what_is_written_out_is_refused_and_said_nowhere(tmp_path, monkeypatch, capsys, text):
    monkeypatch.chdir(tmp_path)
    dataset = dataset_at(tmp_path, [(800, 600)])
    before = {path: path.stat().st_size for path in dataset.folder.rglob("*")}
    spec = text.format(SECRET, SECRET)
    assert main(["patches", "dataset", "--imagery", spec]) == 2
    said = capsys.readouterr()
    assert "${NAME}" in said.err
    assert SECRET not in said.err + said.out
    assert len(said.err.splitlines()) == 1
    assert SECRET not in ImagerySpec(spec).published
    assert {path: path.stat().st_size for path in dataset.folder.rglob("*")} == before


@pytest.mark.parametrize(
    "text",
    ["http://h:8080/a@2x.tif", "http://[::1]:8080/a@2x.tif", "http://h/a.tif?monkey=1&st=2",
     "http://h/a.tif?token=", "http://${USER}:${PASSWORD}@h/a.tif", "http://me:${P}@h/a.tif",
     "http://h/a.tif?token=${T}", "http://h/a.tif?${SIGNED}"],
)  # fmt: skip
def test_what_holds_no_key_is_taken(text):
    refuse_written_out_keys(text)


def test_a_file_whose_name_looks_like_a_key_is_a_file(tmp_path):
    folder = tmp_path / "token=${A}"
    folder.mkdir()
    open_source(ImagerySpec(str(imagery(folder)))).close()


@given(st.text(max_size=60))
def test_any_text_is_shown_and_refused_without_a_fault(text):
    hidden(text)
    try:
        refuse_written_out_keys(text)
    except UsageError as fault:
        assert str(fault)


@pytest.mark.parametrize(
    ("form", "asked"),
    [
        ("{}/scene.tif?token=${{SECRET}}&v=1", f"/scene.tif?token={SECRET}%2F&v=1 "),
        ("{}/${{SECRET}}/scene.tif", f"/{SECRET}%2F/scene.tif "),
        ("{}/scene.tif?${{SIGNED}}", f"/scene.tif?sv=1&sig={SECRET}%2F "),
        ("/vsicurl/{}/scene.tif?token=${{SECRET}}", f"/scene.tif?token={SECRET}%2F "),
        ("LOGIN{}/scene.tif", "/scene.tif Basic "),
    ],
)
def test_a_key_from_the_environment_is_sent_and_stored_nowhere(
    tmp_path, monkeypatch, capsys, form, asked
):
    monkeypatch.setenv("SECRET", f"{SECRET}/")
    monkeypatch.setenv("SIGNED", f"sv=1&sig={SECRET}%2F")
    monkeypatch.chdir(tmp_path)
    dataset = dataset_at(tmp_path, [(800, 600), (-400, 0)])
    imagery(tmp_path)
    with served(tmp_path) as server:
        spec = form.format(server.address)
        if spec.startswith("LOGIN"):
            spec = spec.removeprefix("LOGIN").replace("://", "://me:${SECRET}@")
            asked += base64.b64encode(f"me:{SECRET}/".encode()).decode()
        arguments = ["patches", "dataset", "--imagery", spec, "--size", "64"]
        assert main(arguments) == 0
        assert asked in server.asked()
        capsys.readouterr()
        assert main(arguments) == 0
    said = capsys.readouterr()
    assert "1 there already, 1 refused" in said.out
    assert "warning: " in said.err
    assert SECRET not in said.out + said.err
    # GDAL keeps what it has read of the other.
    gone = [text.replace("scene", "gone") for text in arguments]
    assert main(gone) == 2
    assert SECRET not in capsys.readouterr().err
    (row,) = images(dataset)
    with rasterio.open(dataset.image_path(row)) as file:
        assert SECRET not in json.dumps(file.tags())
        assert "${" not in file.tags()["SOURCE"]
    for path in dataset.folder.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path


def test_a_signed_address_from_a_server_works_and_leaves_no_trace(tmp_path):
    dataset = dataset_at(tmp_path, [(800, 600)])
    imagery(tmp_path)
    with served(tmp_path) as server:
        signed = f"{server.address}/scene.tif?se=2030&sig={SECRET}"
        report = run(dataset, signed, is_told_by_server=True)
        assert f"/scene.tif?se=2030&sig={SECRET}" in server.asked()
    assert len(report.fetched) == 1
    assert SECRET not in json.dumps(report.as_json())
    for path in dataset.folder.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
    with pytest.raises(InputError) as fault:
        open_source(ImagerySpec(signed.replace("scene", "gone"), is_told_by_server=True))
    assert SECRET not in str(fault.value)


def test_an_address_that_a_server_signs_anew_is_the_same_patch():
    place, shape = Place(1.0, 2.0), PatchShape(64)
    one = ImagerySpec("https://h/a.tif?v=1&st=1&se=2&sig=aaaaaa", is_told_by_server=True)
    two = replace(one, text="https://h/a.tif?v=1&st=3&se=4&sig=bbbbbb")
    other = replace(one, text="https://h/a.tif?v=2&st=3&se=4&sig=bbbbbb")
    assert task_key(place, one, shape) == task_key(place, two, shape)
    assert task_key(place, one, shape) != task_key(place, other, shape)
