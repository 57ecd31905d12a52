"""From a student's cells to points and words.

Points: ``notebook`` reads the cells, ``exam`` and ``fixtures`` have inputs and expected outputs, ``evaluate``
judges with ``compare`` and ``conceal``, ``needs`` takes the better of two results. Words: ``differences``,
``relations``, ``slips``, ``recognize``, ``stops``, ``wording``. ``checking`` is the notebook's ``check``, and
``cases`` gives its cases; ``grade`` and ``results`` are for all of it.
"""
