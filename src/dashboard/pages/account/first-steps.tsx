// The first steps of a new account. A finished step is checked off automatically, and the list disappears when all are
// done.
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Code } from '../../components/copy.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { publishableKeys, responsesByDay, usageToday } from '../../data/queries.js';
import { imageHtml } from '../../picture-code.js';
import { settings } from '../../settings.js';
import { lastDays } from './range-picker.js';

/**
 * Logo in the example code of the second step. It doesn't count as a logo that the user has found in the third step.
 */
const EXAMPLE = 'github';
const DAYS = 30;
/** Interval in ms at which the list checks whether a step is done. */
const CHECK_MS = 5000;

export function FirstSteps({ today }: { readonly today: string }) {
  const { from, to } = lastDays(DAYS, today);
  const { data: keys } = useQuery({ ...publishableKeys, refetchInterval: CHECK_MS });
  const { data: responses } = useQuery({ ...responsesByDay(from, to), refetchInterval: CHECK_MS });
  const { data: usage } = useQuery(usageToday);
  if (!keys || !responses || !usage) return null;
  const key = keys[0]?.key;
  const slugs = responses.days.flatMap(({ topSlugs }) => topSlugs.map(({ slug }) => slug));
  const isShown = keys.some(({ lastUsedAt }) => lastUsedAt !== null);
  const isFound = slugs.some((slug) => slug !== EXAMPLE);
  if (key !== undefined && isShown && isFound) return null;
  return (
    <Card title="Get started" lead={<p>Three steps to the first logo on your website.</p>}>
      <ol className="steps">
        <Step isDone={key !== undefined} title="Create a publishable key">
          <p>Web pages use a publishable key to show logos. It gives access to pictures only.</p>
          {key === undefined && <CreateKey />}
        </Step>
        <Step isDone={isShown} title="Paste this into a web page">
          {key === undefined ? (
            <p>The code appears here when you have a key.</p>
          ) : (
            <Code text={exampleCode(key)} label="HTML of your first logo" />
          )}
        </Step>
        <Step isDone={isFound} title="Find your brands">
          <p>Search the catalog by name or domain, and copy the code of each logo.</p>
          <div className="button-row">
            <a className="button" href="/catalog">
              Browse the catalog
            </a>
          </div>
        </Step>
      </ol>
    </Card>
  );
}

interface StepProps {
  readonly isDone: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ isDone, title, children }: StepProps) {
  return (
    <li data-done={isDone || undefined}>
      <span className="step-mark">{isDone && <Icon name="check" size={15} label="Done" />}</span>
      <div className="stack-small">
        <h3>{title}</h3>
        {!isDone && children}
      </div>
    </li>
  );
}

function CreateKey() {
  const creating = useMutation({
    mutationFn: () => callSignedIn('post', '/auth/publishable-keys', { body: { name: 'Website' } }),
    onSuccess: () => refetch(publishableKeys.queryKey),
  });
  return (
    <div className="button-row">
      <Button kind="primary" busy={creating.isPending} onClick={() => creating.mutate()}>
        Create publishable key
      </Button>
      <ErrorNote error={creating.error} />
    </div>
  );
}

function exampleCode(key: string): string {
  const light = `${settings.origin}/v1/svg/${EXAMPLE}?size=64&key=${key}`;
  return imageHtml({ light, width: '64', height: '64', alt: 'GitHub' });
}
