// An icon in the color of its text. The names are the keys of icons.json, their values the names of Lucide.
import icons from 'virtual:icons';
import type names from '../icons.json';

export type IconName = keyof typeof names;

interface Props {
  readonly name: IconName;
  /** px */
  readonly size: number;
  /** Undefined: screen readers skip the icon. */
  readonly label?: string;
  readonly className?: string;
}

export function Icon({ name, size, label, className }: Props) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={className}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {icons[name]}
    </svg>
  );
}
