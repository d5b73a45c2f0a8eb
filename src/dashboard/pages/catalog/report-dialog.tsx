// Dialog that reports a wrong logo to the operator of this service.
import { useState } from 'react';
import { send } from '../../api/transport.js';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { TextField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { announce } from '../../components/toasts.js';
import { REASONS } from '../../report-reasons.js';
import type { Entry } from '../../data/queries.js';

interface Props {
  readonly entry: Pick<Entry, 'slug' | 'title'>;
  readonly onClose: () => void;
}

export function ReportDialog({ entry: { slug, title }, onClose }: Props) {
  const [reason, setReason] = useState<string>();
  const form = useForm(
    { comment: '' },
    ({ comment }) => send(`/v1/catalog/${slug}/reports`, { method: 'POST', body: { reason, comment } }),
    () => {
      announce('Report sent. Thank you.');
      onClose();
    },
  );
  return (
    <Dialog
      onClose={onClose}
      title={`Report the logo of ${title}`}
      text="The operator of this service reads your report. It is stored without your name and address."
    >
      <Form
        form={form}
        action="Send report"
        disabled={reason === undefined}
        otherAction={<Button onClick={onClose}>Cancel</Button>}
      >
        <fieldset className="radio-list">
          <legend>What is wrong?</legend>
          {REASONS.map(([value, text]) => (
            <label key={value} className="check">
              <input type="radio" name="reason" checked={reason === value} onChange={() => setReason(value)} />
              {text}
            </label>
          ))}
        </fieldset>
        <TextField
          {...form.field('comment')}
          label="Comment (optional)"
          hint="For example a link to the right logo."
          rows={3}
          maxLength={500}
        />
      </Form>
    </Dialog>
  );
}
