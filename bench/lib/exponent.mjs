/** How a cost grows with the size: 0 not at all, 1 in proportion. The slope of a line through the logarithms. */
export function exponent(sizes, costs) {
  const points = costs.map((cost, i) => [Math.log(sizes[i]), Math.log(cost)]);
  const mean = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
