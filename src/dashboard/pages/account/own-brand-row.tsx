// A row of the list of own brands. The brand can be edited, get other drawings, and be removed. A removal can be undone
// for a while.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { errorText } from '../../api/error.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogButton } from '../../components/dialog.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Preview } from '../../components/preview.js';
import { announce } from '../../components/toasts.js';
import { changeBrand, refreshBrands, removeBrand, textsOf, type OwnBrand } from '../../data/own-brands.js';
import { DrawingDialog } from './own-brand-drawings.js';
import { OwnBrandForm } from './own-brand-form.js';

/** Time in ms in which a removal can be undone. */
const UNDO_MS = 8000;

export function BrandRow({ brand }: { readonly brand: OwnBrand }) {
  const { slug, title, domains, variants } = brand;
  const removal = useRemoval(slug, title);
  if (removal.isPlanned)
    return (
      <li>
        <span className="grow quiet" role="status">
          {title} is removed.
        </span>
        <Button size="small" autoFocus onClick={removal.undo}>
          Undo
        </Button>
      </li>
    );
  return (
    <li>
      {variants.length > 0 ? (
        // A new version has a new picture, so React's `key` is the version.
        <Preview key={brand.version} slug={slug} alt="" size={40} lazy />
      ) : (
        <Icon name="broken-picture" size={24} className="faint" />
      )}
      <div className="grow">
        <strong>{variants.length > 0 ? <a href={`/catalog/${slug}`}>{title}</a> : title}</strong>
        <span className="small quiet">
          <code>{slug}</code>
          {domains.length > 0 && ` · ${domains.join(', ')}`}
          {variants.length === 0 && ' · no drawing yet'}
        </span>
        <ErrorNote error={removal.error} />
      </div>
      <div className="row-actions">
        <DialogButton
          size="small"
          aria-label={`Edit ${title}`}
          dialog={(close) => <EditDialog brand={brand} onClose={close} />}
        >
          Edit
        </DialogButton>
        <DialogButton
          size="small"
          aria-label={`Drawings of ${title}`}
          dialog={(close) => <DrawingDialog brand={brand} onClose={close} />}
        >
          Drawings
        </DialogButton>
        <Button size="small" kind="danger" aria-label={`Remove ${title}`} onClick={removal.plan}>
          Remove
        </Button>
      </div>
    </li>
  );
}

/** Removes the brand when the time for an undo is over, or when the user leaves the page. */
function useRemoval(slug: string, title: string) {
  const [isPlanned, setPlanned] = useState(false);
  const { mutate, error } = useMutation({
    mutationFn: () => removeBrand(slug),
    onSuccess: refreshBrands,
    onError: (thrown) => {
      setPlanned(false);
      announce(`${title} was not removed. ${errorText(thrown)}`);
    },
  });
  useEffect(() => {
    if (!isPlanned) return undefined;
    let isDue = true;
    const act = (): void => {
      if (isDue) mutate();
      isDue = false;
    };
    const timer = setTimeout(act, UNDO_MS);
    addEventListener('pagehide', act);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', act);
      if (!undone.delete(slug)) act();
    };
  }, [isPlanned, mutate, slug]);
  return {
    isPlanned,
    error,
    plan: () => setPlanned(true),
    undo: () => {
      undone.add(slug);
      setPlanned(false);
    },
  };
}

/** Slugs of brands for which the user has just undone the removal. */
const undone = new Set<string>();

interface BrandDialogProps {
  readonly brand: OwnBrand;
  readonly onClose: () => void;
}

function EditDialog({ brand, onClose }: BrandDialogProps) {
  return (
    <Dialog onClose={onClose} title={`Edit ${brand.title}`}>
      <OwnBrandForm
        texts={textsOf(brand)}
        colors={[...new Set(brand.variants.flatMap(({ colors }) => colors))].slice(0, 8)}
        action="Save"
        cancel="Cancel"
        send={(texts) => changeBrand(brand, texts)}
        onCancel={onClose}
        onSaved={async (title) => {
          await refreshBrands();
          announce(`${title} changed`);
          onClose();
        }}
      />
    </Dialog>
  );
}
