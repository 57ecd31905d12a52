"""From a student's cells to points and words.

Points: ``notebook`` reads the cells, ``exam`` and ``fixtures`` have inputs and expected outputs, ``evaluate``
judges with ``compare`` and ``conceal``. Words: ``differences``, ``relations``, ``slips``, ``recognize``,
``needs``, ``stops``, ``wording``. ``checking`` is the notebook's ``check``, ``cases`` runs one
again; ``grade`` and ``results`` are for
all of it.
"""
