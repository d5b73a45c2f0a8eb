// Settings of a picture: variant, size, color and background. The other parameters are behind "More".
import { Button } from '../../components/button.js';
import { Preview } from '../../components/preview.js';
import type { Entry } from '../../data/queries.js';
import { ParameterControl } from './parameter-control.js';
import { choiceWith, controlsOf, type Control } from './parameters.js';
import type { Settings } from './use-settings.js';

/** Parameters that most visitors need. Variants and the page background have their own controls. */
const MAIN: readonly string[] = ['size', 'color', 'background'];
const OWN_CONTROLS: readonly string[] = ['variant', 'on'];
const TILE_PX = 40;

interface Props {
  readonly entry: Entry;
  readonly settings: Settings;
  readonly onChange: (changed: Partial<Settings>) => void;
  readonly onReset: () => void;
}

export function PictureSettings({ entry, settings, onChange, onReset }: Props) {
  const { format, chosen } = settings;
  const controls = controlsOf(format).filter(({ name }) => !OWN_CONTROLS.includes(name));
  const main = MAIN.flatMap((name) => controls.filter((control) => control.name === name));
  const others = controls.filter((control) => !main.includes(control));
  const set = (name: string, value: string): void => onChange({ chosen: choiceWith(format, chosen, name, value) });
  const shown = (control: Control) => (
    <ParameterControl
      key={control.name}
      control={control}
      value={chosen[control.name] ?? ''}
      onValue={(value) => set(control.name, value)}
      variants={entry.variants}
      revision={entry.revision}
    />
  );
  const isMoreUsed = others.some(({ name }) => (chosen[name] ?? '') !== '');
  return (
    <div className="picture-settings">
      <VariantTiles entry={entry} settings={settings} onVariant={(name) => set('variant', name)} />
      {main.map(shown)}
      <details className="more" open={isMoreUsed || undefined}>
        <summary>More</summary>
        <div className="more-controls">{others.map(shown)}</div>
      </details>
      <Button size="small" onClick={onReset}>
        Reset
      </Button>
    </div>
  );
}

interface TilesProps extends Pick<Props, 'entry' | 'settings'> {
  readonly onVariant: (name: string) => void;
}

/** Renders nothing for a single variant. */
function VariantTiles({ entry: { slug, variants }, settings: { chosen, ground }, onVariant }: TilesProps) {
  if (variants.length < 2) return null;
  const on = ground === 'transparent' ? undefined : ground;
  const current = chosen.variant ?? '';
  return (
    <fieldset className="variant-tiles">
      <legend>Variant</legend>
      {variants.map(({ name }) => {
        const value = name === 'default' ? '' : name;
        return (
          <label key={name} title={name}>
            <input
              type="radio"
              name="variant"
              value={name}
              checked={value === current || name === current}
              onChange={() => onVariant(value)}
            />
            <span className={`variant-picture background-${ground}`}>
              <Preview slug={slug} alt="" size={TILE_PX} query={{ variant: name, on }} />
            </span>
            <span className="variant-name">{name}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
