"""The data files that the core needs are in the plugin, and found there."""


def test_the_taxonomy_is_found_in_the_plugins_own_folder(package, build):
    from ovearth.ovearth_core.resources import resource
    from ovearth.ovearth_core.taxonomy import load

    assert len(load()) == 172
    assert resource("taxonomy/ovearth.json").is_relative_to(build / "ovearth")
