"""JupyterLab in this course; `tools/environment.sh` copies the folder into the virtual environment.

A kernel says in detail which Python it is, and JupyterLab writes that into a notebook when it opens it: the
notebook then counts as changed before anybody has touched it, and differs from the committed one. So the
details are there already when a notebook is read, and are left out again when it is saved.
"""

from ipykernel.ipkernel import IPythonKernel
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

LANGUAGE = {"name": "python"}


def leave_out_the_details(model, **_):
    """Before a notebook is saved: keep of the kernel's language only its name."""
    if model["type"] == "notebook" and model.get("content"):
        metadata = model["content"]["metadata"]
        if metadata.get("language_info", {}).get("name") == "python":
            metadata["language_info"] = dict(LANGUAGE)


class Notebooks(AsyncLargeFileManager):
    """The files that JupyterLab shows; notebooks come with what their kernel will say of itself."""

    async def get(self, path, *args, **options):
        """Read a file."""
        model = await super().get(path, *args, **options)
        if model["type"] == "notebook" and model["content"]:
            metadata = model["content"]["metadata"]
            if metadata.get("language_info") == LANGUAGE:
                metadata["language_info"] = dict(IPythonKernel.language_info)
        return model


c = get_config()  # type: ignore[name-defined]
c.ServerApp.contents_manager_class = Notebooks
c.FileContentsManager.pre_save_hook = leave_out_the_details
