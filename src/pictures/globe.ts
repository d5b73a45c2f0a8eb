// Globe: drawing for a website without an icon. Favicon services return a globe in this case.
export const GLOBE = {
  name: 'globe',
  width: 24,
  height: 24,
  svg:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#80868b" stroke-width="2">' +
    '<circle cx="12" cy="12" r="10"/><ellipse cx="12" cy="12" rx="4.5" ry="10"/><path d="M2.5 9h19M2.5 15h19"/></svg>',
} as const;
