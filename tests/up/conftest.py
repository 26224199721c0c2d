"""Every rule holds whatever the colours of the cards and however card sets are stored."""

from __future__ import annotations

import pytest

from tests.up.position import LAYOUTS, use_layout


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.whole if name != "low colours" else ())
        for name in LAYOUTS
    ]
)
def any_layout(request):
    """Run a test that builds positions in every layout of the cards, all but one in `whole`."""
    use_layout(request.param)
    yield
    use_layout("low colours")
