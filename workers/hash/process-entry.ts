// Entry of the process that hashes passwords. In a separate process, many sign-ins can't take the cores and threads of
// the service.
import { bindToParent } from '../bind-to-parent.js';
import { createHashing, type HashingOptions, type HashTask } from './hashing.js';

export interface HashReply {
  readonly id: number;
  /** The new hash, or true or false: whether the password is right. Undefined after a failure. */
  readonly answer: string | boolean | undefined;
}

/** Lower priority than drawing processes, because many sign-ins must not slow pictures down. */
const NICENESS = 19;

bindToParent(NICENESS);
const answerTo = createHashing(JSON.parse(process.argv[2] ?? '') as HashingOptions);

process.on('message', (task: HashTask) => {
  const reply = (answer: HashReply['answer']): unknown => process.send?.({ id: task.id, answer } satisfies HashReply);
  answerTo(task).then(reply, () => reply(undefined));
});
