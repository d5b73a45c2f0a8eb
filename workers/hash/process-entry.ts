// Process entry: argon2id. Outside of the service, whose cores and thread pool a flood of sign-ins would take.
import { serveParent } from '../serve-parent.js';
import { createHashing, type HashingOptions, type HashTask } from './hashing.js';

export interface HashReply {
  readonly id: number;
  /** The hash, or whether the password was right; undefined when it could not be done. */
  readonly answer: string | boolean | undefined;
}

/** Gives way to drawing, too: pictures are what a flood of sign-ins must not slow. */
const NICENESS = 19;

serveParent(NICENESS);
const answerTo = createHashing(JSON.parse(process.argv[2] ?? '') as HashingOptions);

process.on('message', (task: HashTask) => {
  const reply = (answer: HashReply['answer']): unknown => process.send?.({ id: task.id, answer } satisfies HashReply);
  answerTo(task).then(reply, () => reply(undefined));
});
