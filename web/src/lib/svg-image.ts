const PIXEL_RATIO = 2;
// Styles that an SVG image loses outside of the page's style sheet.
const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-family",
  "font-size",
  "text-anchor",
];

/** A copy of an SVG image that does not depend on the page: variables and classes become plain attributes. */
function toStandalone(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  [svg, ...svg.querySelectorAll<SVGElement>("*")].forEach((original, index) => {
    const computed = getComputedStyle(original);
    for (const name of STYLES) copies[index]?.setAttribute(name, computed.getPropertyValue(name));
  });
  for (const brush of copy.querySelectorAll(".recharts-brush")) brush.remove();
  return copy;
}

/** Converts an SVG element into a PNG file, on the page's background. */
export async function toPng(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect();
  const copy = toStandalone(svg);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * PIXEL_RATIO;
  canvas.height = height * PIXEL_RATIO;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser has no 2D canvas");
  context.scale(PIXEL_RATIO, PIXEL_RATIO);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the image is too large"))), "image/png");
  });
}
