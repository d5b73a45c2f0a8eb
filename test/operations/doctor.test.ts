// Doctor's rating of free disk space.
import { expect } from 'chai';
import { diskFinding } from '../../src/operations/doctor.js';

const GIGABYTE = 2 ** 30;

describe('diskFinding', () => {
  it('warns below 1 GB, and of a folder that cannot be read', () => {
    expect(diskFinding('/data', GIGABYTE)).to.deep.include({
      status: 'ok',
      message: '1024 MB are free on the disk of /data.',
      advice: null,
    });
    expect(diskFinding('/data', GIGABYTE - 1)).to.have.property('status', 'warning');
    expect(diskFinding('/data', undefined)).to.deep.include({
      status: 'error',
      message: 'The folder /data cannot be read.',
    });
  });
});
