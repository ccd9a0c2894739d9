"""Shows a model the part of an image that a prompt is about."""

from __future__ import annotations

from .image_pixels import ImagePixels
from .prompt import Prompt
from .segmenter import Masks, Pixels, Scores, Segmenter
from .view import View


class Looking:
    """One image shown to one model; the last view is used again as long as it will do."""

    def __init__(self, model: Segmenter, image: ImagePixels, most_px: int) -> None:
        self.model = model
        self._image = image
        self._size = (image.width, image.height)
        self._most = most_px
        self._view: View | None = None
        self._pixels: Pixels | None = None
        self._last: Prompt | None = None

    def answer(self, prompt: Prompt) -> tuple[View, Masks, Scores]:
        """Return the view shown, and its masks (K, rows, columns) and scores (K,), best first.

        prompt: in pixels of the image. Where the best mask goes on beyond the view, it is asked
        again with a wider one.
        """
        view = self._first_view(prompt)
        self._last = prompt
        while True:
            masks, scores = self._seen(view, prompt)
            twice = 2 * max(view.width, view.height)
            wider = View.around(prompt.extent, *self._size, self._most, least=twice)
            if not view.cuts(masks[0], *self._size) or wider == view:
                return view, masks, scores
            view = wider

    def _first_view(self, prompt: Prompt) -> View:
        """Return the last view where it holds the prompt and is no coarser than it need be.

        Or a coarser one, where the last prompt was about the same thing, which needed it.
        """
        view = self._view
        wanted = View.around(prompt.extent, *self._size, self._most)
        if view is None or not view.holds(prompt.extent, *self._size):
            return wanted
        is_fine = bool((view.step <= wanted.step).all())
        goes_on = self._last is not None and self._last.goes_on_in(prompt)
        return view if is_fine or goes_on else wanted

    def _seen(self, view: View, prompt: Prompt) -> tuple[Masks, Scores]:
        if self._pixels is None or view != self._view:
            self._pixels = self._image.read(view)
            self._view = view
        # Others may have shown the model something else; what it has seen costs nothing.
        self.model.set_image(self._pixels)
        box = None if prompt.box is None else view.from_image(prompt.box.reshape(2, 2)).ravel()
        return self.model.predict(view.from_image(prompt.points), prompt.labels, box)
