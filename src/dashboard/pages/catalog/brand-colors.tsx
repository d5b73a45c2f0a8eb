// The colors of a brand as swatches, each with its role. A click copies the color.
import { Card } from '../../components/card.js';
import { useCopy } from '../../components/copy.js';
import type { Entry } from '../../data/queries.js';
import { distinctColors, type RoleColor } from './distinct-colors.js';

export function BrandColors({ entry }: { readonly entry: Entry }) {
  const colors = distinctColors(entry);
  if (colors.length === 0) return null;
  return (
    <Card title="Colors" lead={<p>Click a color to copy it.</p>}>
      <ul className="swatches">
        {colors.map((color) => (
          <li key={color.hex}>
            <Swatch {...color} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Swatch({ hex, role }: RoleColor) {
  const { copy, result } = useCopy(hex);
  return (
    <button type="button" title={`Copy ${hex}`} onClick={copy}>
      <span className="swatch" style={{ background: hex }} />
      <span className="swatch-text">
        <span>{role}</span> <code aria-live="polite">{result === '' ? hex : result}</code>
      </span>
    </button>
  );
}
