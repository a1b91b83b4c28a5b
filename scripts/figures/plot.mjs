/** Draws a series as SVG: axes with ticks, a line for each subject, and the exponent that fits it. Readable on light and dark pages. */
const [WIDTH, HEIGHT] = [720, 400];
const AREA = { left: 70, right: 250, top: 44, bottom: 52 };
const COLOURS = ["#2563eb", "#d97706", "#059669", "#db2777", "#7c3aed", "#0891b2", "#65a30d", "#dc2626"];
const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const round = (value) => Math.round(value * 10) / 10;
const number = (value) =>
  value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) >= 10 ? 0 : 2 });

/** @param {import("./store.mjs").Series} series */
export function plot({ series, x, y, scale, lines }) {
  const points = lines.flatMap((line) => line.points);
  const horizontal = axis(
    points.map((point) => point[0]),
    scale,
    AREA.left,
    WIDTH - AREA.right,
  );
  const values = points.map((point) => point[1]);
  const vertical = axis(values, scale, HEIGHT - AREA.bottom, AREA.top);
  const parts = [
    text(AREA.left, 18, series, 'font-size="15" font-weight="600"'),
    ...horizontal.ticks.map((tick) => verticalLine(horizontal.place(tick), tick)),
    ...vertical.ticks.map((tick) => horizontalLine(vertical.place(tick), tick)),
    text((AREA.left + WIDTH - AREA.right) / 2, HEIGHT - 10, x, 'text-anchor="middle"'),
    text(AREA.left - 60, AREA.top - 12, y),
    ...lines.map((line, i) => drawn(line, i, horizontal.place, vertical.place)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12" fill="#64748b" role="img"><title>${escaped(series)}</title>
<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#f8fafc"/>
${parts.join("\n")}
</svg>
`;
}

/** Where a value is on the picture, and which values are marked. */
function axis(values, scale, from, to) {
  const [low, high] = scale === "log" ? wholeDecades(values) : [Math.min(0, ...values), niceTop(values)];
  const along = scale === "log" ? Math.log10 : (value) => value;
  const span = along(high) - along(low) || 1;
  const place = (value) => round(from + ((along(value) - along(low)) / span) * (to - from));
  const steps = scale === "log" ? Math.round(Math.log10(high / low)) : 4;
  const ticks = Array.from({ length: steps + 1 }, (_, i) =>
    scale === "log" ? low * 10 ** i : low + ((high - low) * i) / steps,
  );
  return { place, ticks };
}

function wholeDecades(values) {
  const positive = values.filter((value) => value > 0);
  const low = 10 ** Math.floor(Math.log10(Math.min(...positive)) + 1e-9);
  return [low, Math.max(low * 10, 10 ** Math.ceil(Math.log10(Math.max(...positive)) - 1e-9))];
}

/** The lowest of 1, 2, 4, 5, 8, 10 times a power of ten that is not below all values. */
function niceTop(values) {
  const highest = Math.max(...values, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((top) => top >= highest - 1e-9);
}

const text = (x, y, content, more = "") => `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;
const ruler = (x1, y1, x2, y2) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#cbd5e1" stroke-width="1"/>`;

function verticalLine(at, tick) {
  const bottom = HEIGHT - AREA.bottom;
  return ruler(at, AREA.top, at, bottom) + text(at, bottom + 18, number(tick), 'text-anchor="middle"');
}

function horizontalLine(at, tick) {
  return (
    ruler(AREA.left, at, WIDTH - AREA.right, at) +
    text(AREA.left - 8, at + 4, number(tick), 'text-anchor="end"')
  );
}

function drawn({ name, points, exponent }, index, toX, toY) {
  const colour = COLOURS[index % COLOURS.length];
  const places = points.map(([x, y]) => [toX(x), toY(y)]);
  const label = exponent === undefined ? name : `${name} (exponent ${exponent.toFixed(2)})`;
  const y = AREA.top + 8 + index * 20;
  const x = WIDTH - AREA.right + 16;
  return [
    `<polyline points="${places.map((place) => place.join(",")).join(" ")}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...(places.length > 30
      ? []
      : places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${colour}"/>`)),
    `<rect x="${x}" y="${y - 8}" width="10" height="10" fill="${colour}"/>`,
    text(x + 16, y + 1, label, 'fill="#334155"'),
  ].join("");
}
