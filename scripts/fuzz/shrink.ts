// A smaller request that still shows the same defect.
import type { Case, Message } from './case.js';

const MAX_ATTEMPTS = 60;
const MIN_CUT_CHARACTERS = 200;

/** `stillFails` sends a case. The parts of it that matter are found by leaving the others out. */
export async function shrink(one: Case, stillFails: (smaller: Case) => Promise<boolean>): Promise<Case> {
  let smallest: Case = { ...one, ending: one.ending === 'read' ? 'nudge' : one.ending };
  let attempts = 0;
  for (let hasShrunk = true; hasShrunk;) {
    hasShrunk = false;
    for (const smaller of smallerCases(smallest)) {
      attempts += 1;
      if (attempts > MAX_ATTEMPTS) return smallest;
      if (!(await stillFails(smaller))) continue;
      smallest = smaller;
      hasShrunk = true;
      break;
    }
  }
  return smallest;
}

/** The largest steps first. */
function* smallerCases(one: Case): Generator<Case> {
  const { messages } = one;
  if (messages.length > 1) for (const message of messages) yield { ...one, messages: [message] };
  if (messages.length !== 1) return;
  for (const message of messages.flatMap(smallerMessages)) yield { ...one, messages: [message] };
  const { writes, ...whole } = one;
  if (writes !== undefined) yield whole;
}

function smallerMessages(message: Message): Message[] {
  const { line, fields, body } = message;
  const bodies = [
    '',
    withoutMiddle(body, ','),
    body.slice(0, body.length / 2),
    body.slice(body.length / 2),
    withoutMiddle(body),
  ];
  const lines = [
    withoutMiddle(line, '&'),
    withoutMiddle(line),
    line.replace(/\?.*(?= HTTP)/, ''),
    line.replace(/[?&][^?& ]*(?=&| HTTP)/, ''),
  ];
  const all = [
    ...bodies.map((text) => ({ ...message, body: text })),
    ...lines.map((text) => ({ ...message, line: text })),
    ...fields.map((_, index) => ({ ...message, fields: fields.filter((__, other) => other !== index) })),
    ...fields.map((_, index) => ({
      ...message,
      fields: fields.map((field, other) => (other === index ? withoutMiddle(field) : field)),
    })),
  ];
  return all.filter((smaller) => length(smaller) < length(message));
}

const length = ({ line, fields, body }: Message) => [line, ...fields, body].join('\r\n').length;

/** The ends of a repetition are often what gives it its form. */
function withoutMiddle(text: string, separator = ''): string {
  if (separator === '' && text.length < MIN_CUT_CHARACTERS) return text;
  const parts = text.split(separator);
  const cut = Math.ceil(parts.length / 3);
  return [...parts.slice(0, cut), ...parts.slice(parts.length - cut)].join(separator);
}
