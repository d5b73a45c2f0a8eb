// Process entry of password hashing. A separate process, because many sign-ins would take the service's cores and threads.
import { bindToParent } from '../bind-to-parent.js';
import { createHashing, type HashingOptions, type HashTask } from './hashing.js';

export interface HashReply {
  readonly id: number;
  /** The hash, or whether the password is right. Undefined after a failure. */
  readonly answer: string | boolean | undefined;
}

/** Lower priority than drawing, because many sign-ins must not slow pictures. */
const NICENESS = 19;

bindToParent(NICENESS);
const answerTo = createHashing(JSON.parse(process.argv[2] ?? '') as HashingOptions);

process.on('message', (task: HashTask) => {
  const reply = (answer: HashReply['answer']): unknown => process.send?.({ id: task.id, answer } satisfies HashReply);
  answerTo(task).then(reply, () => reply(undefined));
});
