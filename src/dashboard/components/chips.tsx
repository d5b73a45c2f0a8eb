// A row of toggle buttons. Any number of them may be pressed.

interface Props<Value> {
  /** Name of the group for screen readers. */
  readonly label: string;
  readonly values: readonly Value[];
  readonly text?: (value: Value) => string;
  readonly isPressed: (value: Value) => boolean;
  readonly onPress: (value: Value) => void;
}

export function Chips<Value extends string | number>({
  label,
  values,
  text = String,
  isPressed,
  onPress,
}: Props<Value>) {
  return (
    <div className="chips" role="group" aria-label={label}>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={isPressed(value)}
          onClick={() => onPress(value)}
        >
          {text(value)}
        </button>
      ))}
    </div>
  );
}
