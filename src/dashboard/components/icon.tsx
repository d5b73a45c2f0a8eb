// An icon in the color of the surrounding text. Keys of icons.json are the names of the icons, and values are the names
// of Lucide's icons.
import icons from 'virtual:icons';
import type names from '../icons.json';

export type IconName = keyof typeof names;

interface Props {
  readonly name: IconName;
  /** Side in px. */
  readonly size: number;
  /** Undefined if screen readers should skip the icon. */
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
