// A new API key, which is shown once. The user can copy, download or try it, and must confirm that it is stored.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { send } from '../api/transport.js';
import { useLeaveQuestion } from '../hooks/use-leave-question.js';
import { useObjectUrl } from '../hooks/use-object-url.js';
import { settings } from '../settings.js';
import { Button } from './button.js';
import { Code, CopyButton } from './copy.js';
import { Icon } from './icon.js';
import { ErrorNote, Note } from './note.js';

interface Props {
  readonly apiKey: string;
  /** Text of the button that closes this view. The key is never shown again. */
  readonly action: string;
  readonly onStored: () => void;
}

export function NewKey({ apiKey, action, onStored }: Props) {
  const [isStored, setStored] = useState(false);
  useLeaveQuestion(isStored ? undefined : 'The key is shown only once. Leave without having stored it?');
  const env = `BLAZON_URL=${settings.origin}\nBLAZON_API_KEY=${apiKey}\n`;
  return (
    <div className="stack">
      <Note kind="warn">
        <p>
          <strong>This is the only time the key is shown.</strong> Blazon stores only its hash. Store the key where
          secrets belong: a password manager, or the environment of your server.
        </p>
      </Note>
      <div className="secret">
        <code data-testid="api-key">{apiKey}</code>
      </div>
      <div className="button-row">
        <CopyButton text={apiKey} label="Copy key" />
        <a className="button" href={`data:text/plain;charset=utf-8,${encodeURIComponent(env)}`} download="blazon.env">
          <Icon name="download" size={17} /> Download .env
        </a>
      </div>
      <FirstRequest apiKey={apiKey} />
      <label className="check">
        <input type="checkbox" checked={isStored} onChange={(event) => setStored(event.target.checked)} />I have stored
        the key
      </label>
      <Button kind="primary" disabled={!isStored} onClick={onStored}>
        {action}
      </Button>
    </div>
  );
}

function FirstRequest({ apiKey }: { readonly apiKey: string }) {
  const trial = useMutation({
    mutationFn: async () => (await send('/v1/svg/github?size=96', { headers: { 'X-API-Key': apiKey } })).blob(),
  });
  const picture = useObjectUrl(trial.data);
  const command = `curl '${settings.origin}/v1/svg/github?size=96' \\\n  -H 'X-API-Key: ${apiKey}'`;
  return (
    <section className="first-request stack" aria-label="First request">
      <h2>Your first request</h2>
      <Code text={command} label="first request" />
      <div className="button-row first-request-row">
        <Button busy={trial.isPending} onClick={() => trial.mutate()}>
          <Icon name="send" size={16} /> Send it now
        </Button>
        <div role="status">
          {picture !== undefined && (
            <span className="first-answer">
              <img src={picture} width={48} height={48} alt="GitHub’s logo, returned by the API" />
              <span>200 OK. That is GitHub’s logo.</span>
            </span>
          )}
        </div>
      </div>
      <ErrorNote error={trial.error} />
    </section>
  );
}
