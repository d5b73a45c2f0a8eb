// A title for icons of sources that have none.

/** `arrow-left_circle` → `Arrow Left Circle` */
export function titleOfKey(key: string): string {
  return key
    .split(/[-_]/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
