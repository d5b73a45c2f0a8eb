// Entry of the process that decodes icons. Receives one icon at a time, and ends when its parent ends.
import { bindToParent } from '../bind-to-parent.js';
import type { DecodeIcon } from '../icon-protocol.js';
import { decodeIcon } from './decode-icon.js';

const NICENESS = 10;

bindToParent(NICENESS);
process.on('message', (task: DecodeIcon) => {
  void decodeIcon(task).then((reply) => process.send?.(reply));
});
