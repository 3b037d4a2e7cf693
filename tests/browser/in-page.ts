import type { Page } from "playwright-core";

// Code that runs inside the page is a string here: this program is compiled without DOM types.

/** Elements that scroll sideways or overflow the window, except code. */
export const sidewaysScrollers = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const name = (node) => node.tagName.toLowerCase() + "." + String(node.className.baseVal ?? node.className).slice(0, 60);
    const found = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push("the page is " + root.scrollWidth + " px wide");
    for (const node of document.body.querySelectorAll("*")) {
      if (node.closest("pre, textarea, .sr-only, svg, [aria-hidden=true]")) continue;
      const scrolls = ["auto", "scroll"].includes(getComputedStyle(node).overflowX) && node.scrollWidth > node.clientWidth + 1;
      if (scrolls && node.clientWidth > 0) found.push("scrolls sideways: " + name(node));
      const { right, width, height } = node.getBoundingClientRect();
      const isOutside = right > innerWidth + 1 && width > 1 && height > 1 && node.checkVisibility({ visibilityProperty: true });
      if (isOutside) found.push("sticks out by " + Math.round(right - innerWidth) + " px: " + name(node));
    }
    return [...new Set(found)].slice(0, 8);
  })()`);

/** Waits until no colour transition or movement is running on the page; endless animations are ignored. */
export const stillness = (page: Page): Promise<void> =>
  page.evaluate<undefined>(`(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await frame();
    const moving = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  })()`);

/** Every visible or screen-reader text on the page, except language names and user input. */
export const getTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const texts = [document.title];
    const skip = (node) => node.closest("[lang]:not(html), script, style, textarea") !== null;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent.trim();
      if (text !== "" && !skip(walker.currentNode.parentElement)) texts.push(text);
    }
    for (const node of document.body.querySelectorAll("[aria-label], [title], [placeholder], [alt]")) {
      if (skip(node)) continue;
      for (const attribute of ["aria-label", "title", "placeholder", "alt"]) {
        const text = node.getAttribute(attribute);
        if (text) texts.push(text);
      }
    }
    return [...new Set(texts)];
  })()`);
