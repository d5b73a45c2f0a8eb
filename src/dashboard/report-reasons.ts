// Reasons of reports about wrong logos.
export const REASONS = [
  ['wrong-brand', 'Logo of another brand'],
  ['outdated', 'The brand has a newer logo'],
  ['drawing-errors', 'Parts are missing or have wrong colors'],
  ['other', 'Something else'],
] as const;
