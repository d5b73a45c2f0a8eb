// A new brand, made from one file. It is saved when its drawing is accepted and the form is submitted.
import { useRef } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { announce } from '../../components/toasts.js';
import type { SanitizedDrawing } from '../../data/drawing-files.js';
import {
  addBrand,
  addGuidelines,
  draftTexts,
  refreshBrands,
  type BrandTexts,
  type Draft,
} from '../../data/own-brands.js';
import { CheckError, DrawingComparison, useCheckedDrawing } from './drawing-check.js';
import { FileButton } from './file-button.js';
import { OwnBrandForm } from './own-brand-form.js';

interface Props {
  readonly draft: Draft;
  readonly onDone: () => void;
  /** Called with files that replace the draft's file. */
  readonly onFiles: (files: readonly File[]) => unknown;
}

export function DraftCard({ draft, onDone, onFiles }: Props) {
  const { file } = draft;
  const checked = useCheckedDrawing(file);
  return (
    <Card title={file.name} lead={<p>{checked.isError ? 'Not accepted.' : 'Not saved yet.'}</p>}>
      <div className="card-body draft">
        <DrawingComparison file={file} checked={checked} />
        {checked.data ? (
          <DraftForm draft={draft} drawing={checked.data} onDone={onDone} />
        ) : (
          <div className="stack">
            <CheckError checked={checked} />
            <div className="button-row">
              {checked.isError && (
                <FileButton kind="primary" onFiles={onFiles}>
                  Choose another file
                </FileButton>
              )}
              <Button onClick={onDone}>Discard</Button>
            </div>
          </div>
        )}
      </div>
    </Card>
  );
}

interface FormProps extends Pick<Props, 'draft' | 'onDone'> {
  readonly drawing: SanitizedDrawing;
}

function DraftForm({ draft, drawing: { colors }, onDone }: FormProps) {
  /** Slug of the saved brand. If its guidelines are then rejected, the next attempt sends only the guidelines. */
  const saved = useRef<string>(undefined);
  const send = async (texts: BrandTexts): Promise<void> => {
    saved.current ??= await addBrand(texts, draft.file.bytes);
    if (texts.guidelines.trim() !== '') await addGuidelines(saved.current, texts);
  };
  return (
    <OwnBrandForm
      texts={draftTexts(draft, colors)}
      colors={colors}
      action="Save brand"
      cancel="Discard"
      isNew
      isInCard
      send={send}
      onCancel={onDone}
      onSaved={async (title) => {
        await refreshBrands();
        announce(`${title} added`);
        onDone();
      }}
    />
  );
}
