"""Addresses: what is sent has the key, what is shown never has."""

import string
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.collection.imagery.address import AddressTemplate, hidden, without_secrets
from ovearth_core.collection.imagery.service_address import asking, parted
from ovearth_core.errors import UsageError

NAME = "OVEARTH_TEST_KEY"
SECRETS = st.text(string.ascii_letters + string.digits + "/+=&?#%{}$ ", min_size=8, max_size=30)
WORDS = st.text(string.ascii_lowercase, min_size=1, max_size=6)
FORMS = st.sampled_from(
    ["https://h/{z}?%s=${OVEARTH_TEST_KEY}", "https://h/${OVEARTH_TEST_KEY}/{z}?%s=1",
     "https://h/p?%s=1&k=pre-${OVEARTH_TEST_KEY}-post#x"]
)  # fmt: skip


@given(secret=SECRETS, form=FORMS, word=WORDS, zoom=st.integers(0, 20))
def test_a_key_is_sent_and_never_shown(secret, form, word, zoom):
    if not secret.strip(" /+=&?#%{}$"):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NAME, secret)
        template = AddressTemplate(form % f"a{word}")
        address = template.fill({"z": str(zoom)})
    sent = quote(secret, safe="")
    assert sent in address.url
    for text in (address.shown, template.published, without_secrets(f"bad key {secret} {sent}")):
        assert secret not in text.replace(f"a{word}", "")
        assert sent not in text.replace(f"a{word}", "")


@given(st.dictionaries(WORDS, WORDS, max_size=5))
def test_what_is_no_key_stays(parameters):
    text = "https://h/p" + ("?" if parameters else "")
    text += "&".join(f"a{name}={value}" for name, value in parameters.items())
    assert hidden(text) == text


@pytest.mark.parametrize(
    "name", ["key", "API_KEY", "apikey", "access_token", "sig", "X-Amz-Signature"]
)
def test_a_key_that_a_server_gives_is_hidden(name):
    address = AddressTemplate.told_by_server(f"https://h/t?a=1&{name}=s3cr3tvalue").fill()
    assert "s3cr3tvalue" in address.url
    assert address.shown == "https://h/t?a=1"
    assert "s3cr3tvalue" not in without_secrets("no s3cr3tvalue here")


def test_a_place_in_a_parameter_with_a_keys_name_is_none():
    address = AddressTemplate("https://h/t?key={q}").fill({"q": "0123"})
    assert address.url == "https://h/t?key=0123"


@pytest.mark.parametrize(
    "text", ["", "h/t", "file:///etc/passwd", "gopher://h/x", "https://[h/t", "https:///t"]
)
def test_what_is_no_web_address_is_refused(text):
    with pytest.raises(UsageError):
        AddressTemplate(text)


def test_parameters_of_requests_are_left_to_requests():
    base, said = parted("https://h/w?SERVICE=WMS&map=a&Layers=b%20c&BBOX=1&", {"layers"})
    assert (base, said) == ("https://h/w?map=a", {"layers": "b c"})
    assert asking(base, {"layers": "b c"}).fill().url == "https://h/w?map=a&layers=b%20c"
    assert asking("https://h/w?", {"a": "1"}).fill().url == "https://h/w?a=1"
