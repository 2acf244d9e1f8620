export function slug(title) {
  return title.toLowerCase().replace(/ /g, '-');
}
