// Process entry: argon2id. Outside of the service, whose cores and thread pool a flood of sign-ins would take.
import { randomBytes } from 'node:crypto';
import argon2 from 'argon2';
import { serveParent } from '../serve-parent.js';

/** The process's only argument, as JSON. */
export interface HashingOptions {
  readonly memoryKiB: number;
  readonly passes: number;
  readonly lanes: number;
}

export interface HashTask {
  readonly id: number;
  readonly password: string;
  /** `hash`: make one. Else compare with this one, or, where there is no account (null), with a decoy. */
  readonly work: 'hash' | { readonly stored: string | null };
}

export interface HashReply {
  readonly id: number;
  /** The hash, or whether the password was right; undefined when it could not be done. */
  readonly answer: string | boolean | undefined;
}

/** Gives way to drawing, too: pictures are what a flood of sign-ins must not slow. */
const NICENESS = 19;

serveParent(NICENESS);
const { memoryKiB, passes, lanes } = JSON.parse(process.argv[2] ?? '') as HashingOptions;
const parameters = { type: argon2.argon2id, memoryCost: memoryKiB, timeCost: passes, parallelism: lanes } as const;
/** Hash of a random password, verified where there is no account, so that it takes as long. */
const decoyHash = argon2.hash(randomBytes(32), parameters);

async function answerTo({ password, work }: HashTask): Promise<string | boolean> {
  if (work === 'hash') return argon2.hash(password, parameters);
  return (await argon2.verify(work.stored ?? (await decoyHash), password)) && work.stored !== null;
}

process.on('message', (task: HashTask) => {
  const reply = (answer: HashReply['answer']): unknown => process.send?.({ id: task.id, answer } satisfies HashReply);
  answerTo(task).then(reply, () => reply(undefined));
});
