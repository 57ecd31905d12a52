"""Grading a class: whose submission it is, when it came, what it is worth, and who reads it.

``archives`` and ``unpacking`` open files, ``names``, ``gradescope_export``, ``roster`` and ``rosters`` say
whose they are, ``candidates`` which of them counts, ``times`` and ``policy`` what lateness costs.
``submissions``, ``assessment`` and ``classroom`` grade them; ``gradebook``,
``reports``, ``tables``, ``statistics`` and ``csv_files`` write the grades. ``command`` is the command line.
"""
