"""Every rule holds whatever the colours of the cards and however card sets are stored."""

from __future__ import annotations

import pytest

from tests.up.position import LAYOUTS, use_layout


@pytest.fixture(params=LAYOUTS)
def any_layout(request):
    """Run a test that builds positions in every layout of the cards."""
    use_layout(request.param)
    yield
    use_layout("low colours")
