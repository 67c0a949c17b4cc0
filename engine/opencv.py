"""OpenCV: import it where a picture is read, not above; it takes 36 MB and a tenth of a second."""

import os

import cv2

from engine.interpreter import drop_relative_folders

# OpenCV puts its folder before what LD_LIBRARY_PATH holds, and an empty part, the current folder,
# after it where that is empty: the browser's processes would load libraries from there.
drop_relative_folders(os.environ)

__all__ = ["cv2"]
