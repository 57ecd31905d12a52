"""Bars are shown where messages are."""

import logging

from transformer_lib.training import progress


def test_progress_is_shown_from_the_level_info_on(monkeypatch):
    for level, shown in ((logging.DEBUG, True), (logging.INFO, True), (logging.WARNING, False)):
        monkeypatch.setattr(progress.log, "level", level)
        progress.log.manager._clear_cache()
        assert progress.shows_progress() == shown
