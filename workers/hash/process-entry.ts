// Entry of the process that hashes passwords. It is separate because many sign-ins must not take cores and threads from
// the service.
import { bindToParent } from '../bind-to-parent.js';
import { createHashing, type HashingOptions, type HashTask } from './hashing.js';

export interface HashReply {
  readonly id: number;
  /** New hash, or true if the verified password is right, or false if it is wrong. Undefined if the task failed. */
  readonly answer: string | boolean | undefined;
}

/** Priority below the priority of rasterizer processes, because many sign-ins must not slow down pictures. */
const NICENESS = 19;

bindToParent(NICENESS);
const answerTo = createHashing(JSON.parse(process.argv[2] ?? '') as HashingOptions);

process.on('message', (task: HashTask) => {
  const reply = (answer: HashReply['answer']): unknown => process.send?.({ id: task.id, answer } satisfies HashReply);
  answerTo(task).then(reply, () => reply(undefined));
});
