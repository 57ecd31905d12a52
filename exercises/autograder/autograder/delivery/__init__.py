"""What is made of an exercise and handed out: notebooks, fixtures, kits, adapters for other graders.

``build`` writes notebooks and fixtures, ``kits`` the two zips, ``export`` what Otter and nbgrader take, and
``gradescope`` its container. ``assemble`` makes one program of a student's answers.
"""
