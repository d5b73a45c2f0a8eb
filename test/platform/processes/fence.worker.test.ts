// The sandbox of worker processes (the fence): what an attacker who controls a process cannot reach. Each part of the
// fence is tested alone.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { readEnv } from '../../../config/env.js';
import { namespaceLauncher, LIMITS_LAUNCHER } from '../../../src/platform/processes/fence-launcher.js';
import { openServiceFence, NO_FENCE, openFence, type Fence } from '../../../src/platform/processes/fence.js';
import { openSanitizer } from '../../../src/catalog/sanitizer.worker.js';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import type { Database } from '../../../src/platform/stores/sqlite/guarded-database.js';
import { openCatalogTools } from '../../../src/catalog/catalog-tools.js';
import { openSvgFolder } from '../../../src/catalog/sources/icon-sources.js';
import { openServiceRasterizer } from '../../../src/pictures/serve.js';
import { createLog } from '../../../src/platform/log.js';
import type { RasterizeJob } from '../../../src/pictures/rasterizer.js';
import { testRasterizer } from '../../support/pictures.js';
import { ROOT } from '../../support/service-process.js';
import { embeddedIn } from '../../support/stores.js';
import { temporaryDir } from '../../support/temporary.js';
import type { Attempt } from './fence-fixture.js';

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const PICTURE: RasterizeJob = { svg: SVG, width: 8, height: 8, format: 'webp', quality: 80 };
const FIXTURE = new URL('./fence-fixture.js', import.meta.url);

/** Returns the ids of child processes that run the file `entry`. */
function workers(entry: string): string[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter((id) => {
      const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
      return words[0] === process.execPath && words.some((word) => word.endsWith(entry));
    });
}

describe('the fence around worker processes', () => {
  let folder: ReturnType<typeof temporaryDir>;
  let [dataDir, secret, socket] = ['', '', ''];
  let fence: Fence;
  let servers: Server[];
  let database: Database;

  before(async () => {
    folder = temporaryDir();
    dataDir = join(folder.path, "it's data");
    mkdirSync(dataDir);
    secret = join(dataDir, 'jwt-secret');
    writeFileSync(secret, 'what is signed with', { mode: 0o600 });
    database = openDatabase(dataDir);
    socket = join(folder.path, 'socket');
    servers = [createServer().listen(0, '127.0.0.1'), createServer().listen(socket)];
    await Promise.all(servers.map((server) => once(server, 'listening')));
    fence = await openFence(dataDir);
  });
  after(() => {
    for (const server of servers) server.close();
    database.close();
    folder.remove();
  });

  /** Runs the attempts, such as reading a file, in a drawing process inside this fence. Returns their results. */
  async function attempt(behind: Fence, attempts: readonly Attempt[]): Promise<readonly string[]> {
    const rasterizer = testRasterizer({ worker: FIXTURE, processes: 1, fence: behind });
    const outcome = await rasterizer.rasterize({ ...PICTURE, svg: JSON.stringify(attempts) });
    await rasterizer.close();
    if (!outcome.ok) throw new Error(outcome.message);
    return JSON.parse(Buffer.from(outcome.bytes).toString()) as string[];
  }

  async function draws(behind: Fence): Promise<void> {
    const [rasterizer, sanitizer] = [testRasterizer({ fence: behind }), openSanitizer({ processes: 1, fence: behind })];
    const [picture, [sanitized]] = await Promise.all([rasterizer.rasterize(PICTURE), sanitizer.sanitize([SVG])]);
    await Promise.all([rasterizer.close(), sanitizer.close()]);
    expect([picture.ok, sanitized?.ok]).to.deep.equal([true, true]);
  }

  const port = (): string => String((servers[0]!.address() as AddressInfo).port);
  const reads = (): Attempt[] => [
    { what: 'read', on: secret },
    { what: 'read', on: join(dataDir, 'blazon.sqlite') },
    { what: 'list', on: dataDir },
    { what: 'read', on: `/proc/${process.pid}/environ` },
    { what: 'read', on: `/proc/${process.pid}/root${secret}` },
    { what: 'read', on: join(ROOT, 'config/plans.json') },
  ];
  const connects = (): Attempt[] => [
    { what: 'connect', on: port() },
    { what: 'connect', on: socket },
  ];
  const changes = (): Attempt[] => [
    { what: 'write', on: join(dataDir, 'new') },
    { what: 'write', on: secret },
    // A relative path, to test that the working directory of the worker process is not the data folder.
    { what: 'write', on: 'new' },
    { what: 'shorten', on: FIXTURE.pathname },
    { what: 'remove', on: FIXTURE.pathname },
  ];

  function expectBehindFence(id: string): void {
    expect(readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')).to.include.members([...fence.nodeFlags]);
    if (fence.launcher.length > 0) expect(readFileSync(`/proc/${id}/status`, 'utf8')).to.match(/^NoNewPrivs:\s1$/m);
    if (fence.hasNamespaces) expect(existsSync(`/proc/${id}/root${secret}`)).to.equal(false);
  }

  it('is needed to prevent all of the following', async () => {
    const outcomes = await attempt(NO_FENCE, [...reads(), ...connects()]);
    expect(outcomes.filter((outcome) => /^E[A-Z]+$/.test(outcome))).to.deep.equal([]);
    expect(outcomes[0]).to.equal('what is signed with');
  });

  it('is active, and pictures are drawn and drawings sanitized inside it', () => draws(fence));

  it('names missing features of this machine, with the reason', () => {
    const hasPermissions = process.allowedNodeEnvironmentFlags.has('--permission');
    expect(fence.holds.some((part) => part.includes('permission model'))).to.equal(hasPermissions);
    expect(fence.lacks.some((part) => part.includes('permission model'))).to.equal(!hasPermissions);
    expect(fence.holds.some((part) => part.startsWith('namespaces'))).to.equal(fence.hasNamespaces);
    for (const part of fence.lacks) expect(part).to.match(/ \(.+\)$/);
  });

  it('has no variable and no file of the service', async () => {
    const [variables, opened] = await attempt({ ...fence, nodeFlags: [] }, [
      { what: 'variables', on: '' },
      { what: 'opened', on: '' },
    ]);
    expect(new Set(opened?.split(','))).to.deep.equal(new Set(['/dev/null']));
    const ours = [
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
      'OLDPWD',
      'PWD',
      'SHLVL',
      'UV_THREADPOOL_SIZE',
      '_',
    ];
    expect(ours).to.include.members(variables?.split(',') ?? []);
  });

  // Native code can bypass Node's permissions, so the namespaces must suffice alone. These tests therefore turn off
  // Node's permissions.
  describe('of namespaces', () => {
    let alone: Fence;
    before('this machine lets users make namespaces', function () {
      alone = { ...fence, nodeFlags: [] };
      if (!fence.hasNamespaces) this.skip();
    });

    it('hides the data folder, the configuration and other facts of the service', async () => {
      const outcomes = await attempt(alone, reads());
      expect(outcomes).to.deep.equal(['ENOENT', 'ENOENT', 'ENOENT', 'EACCES', 'EACCES', 'ENOENT']);
    });

    it('prevents opening sockets', async () => {
      expect(await attempt(alone, connects())).to.deep.equal(['ENETUNREACH', 'ENOENT']);
    });

    it('prevents writing, truncating or removing files', async () => {
      const outcomes = await attempt(alone, changes());
      expect(outcomes.slice(0, 2)).to.deep.equal(['ENOENT', 'ENOENT']);
      // The result is EACCES if the user may not write the file even without a fence.
      for (const outcome of outcomes.slice(2)) expect(outcome).to.be.oneOf(['EROFS', 'EACCES']);
      expect(existsSync(FIXTURE)).to.equal(true);
    });

    it('makes everything that is not covered read-only, even for root', async () => {
      const outside = mkdtempSync('/var/tmp/blazon-test-');
      const file = join(outside, 'of the same user');
      writeFileSync(file, 'mine');
      try {
        const outcomes = await attempt(alone, [
          { what: 'open', on: file },
          { what: 'shorten', on: file },
          { what: 'remove', on: file },
          { what: 'write', on: join(outside, 'new') },
        ]);
        expect(outcomes).to.deep.equal(['EROFS', 'EROFS', 'EROFS', 'EROFS']);
        const ofRoot = ['/proc/sys/kernel/core_pattern', '/proc/self/comm', '/etc/passwd', '/sys/kernel/uevent_helper'];
        for (const on of ofRoot.filter((path) => existsSync(path)))
          expect((await attempt(alone, [{ what: 'open', on }]))[0], on).to.be.oneOf(['EROFS', 'EACCES']);
        expect(readFileSync(file, 'utf8')).to.equal('mine');
      } finally {
        rmSync(outside, { recursive: true });
      }
    });

    it('has only the devices that programs need', async () => {
      const outcomes = await attempt(alone, [
        { what: 'list', on: '/dev' },
        { what: 'write', on: '/dev/null' },
        { what: 'run', on: 'head -c 8 /dev/urandom | wc -c' },
      ]);
      expect(outcomes).to.deep.equal(['null,random,urandom,zero', 'done', '0: 8\n']);
    });

    it('makes folders with any name read-only', () => {
      const odd = join(dataDir, 'a folder\\040 "of" $HOME');
      mkdirSync(odd);
      const [unshare = '', ...words] = namespaceLauncher({ hidden: [], kept: [] });
      const mounted = ['sh', '-c', 'mount -t tmpfs tmpfs "$1"; shift; exec "$@"', 'sh', odd];
      const run = ['sh', '-c', 'test ! -w "$1" && echo read-only', 'sh', odd];
      const outer = ['--user', '--map-root-user', '--mount', ...mounted, unshare, ...words, ...run];
      expect(spawnSync('unshare', outer, { encoding: 'utf8' })).to.deep.include({ stderr: '', stdout: 'read-only\n' });
    });

    it('keeps Node and the code accessible if the data folder contains them', async () => {
      for (const parent of [ROOT, dirname(ROOT), '/tmp']) {
        const around = await openFence(parent);
        expect(around.lacks.filter((part) => part.startsWith('namespaces'))).to.deep.equal([]);
        await draws(around);
      }
    });

    it('keeps a program in a hidden folder accessible, but nothing else in it', () => {
      const [program, beside] = [join(dataDir, 'bin/cat'), join(dataDir, 'bin/beside')];
      mkdirSync(dirname(program));
      cpSync('/bin/cat', program, { dereference: true });
      writeFileSync(beside, 'beside');
      const [unshare = '', ...words] = namespaceLauncher({ hidden: [dataDir], kept: [program] });
      const run = (path: string) => spawnSync(unshare, [...words, program, path], { encoding: 'utf8' });
      expect(run(secret)).to.deep.include({ status: 1, stdout: '' });
      expect(run(beside)).to.deep.include({ status: 1, stdout: '' });
      expect(run('/proc/self/comm')).to.deep.include({ status: 0, stdout: 'cat\n' });
    });

    it('also applies to child processes, which cannot remove any part of it', async () => {
      const outcomes = await attempt(alone, [
        { what: 'run', on: `cat '${secret.replaceAll("'", `'\\''`)}' /proc/${process.pid}/environ 2>/dev/null` },
        { what: 'run', on: `umount /tmp 2>/dev/null || mount -t tmpfs tmpfs /mnt 2>/dev/null` },
        { what: 'run', on: 'unshare --user true 2>/dev/null' },
      ]);
      for (const outcome of outcomes) expect(outcome).to.match(/^[1-9]\d*: $/);
    });
  });

  describe('where users may make no namespaces', () => {
    const program = `
      import { openFence } from ${JSON.stringify(new URL('../../../src/platform/processes/fence.js', import.meta.url).href)};
      import { openRasterizer } from ${JSON.stringify(new URL('../../../src/pictures/rasterizer.worker.js', import.meta.url).href)};
      const fence = await openFence(process.argv[1]);
      const worker = new URL(${JSON.stringify(new URL('../../../workers/rasterize/rasterize.js', import.meta.url).href)});
      const rasterizer = openRasterizer({ worker, processes: 1, timeoutMs: 10_000, fence });
      const { ok } = await rasterizer.rasterize(${JSON.stringify(PICTURE)});
      await rasterizer.close();
      console.log(JSON.stringify({ ...fence, ok }));`;

    before('they can be forbidden here', function () {
      if (!fence.hasNamespaces) this.skip();
    });

    it('omits them, reports it, and draws', () => {
      const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
      const node = [process.execPath, '--input-type=module', '-e', program, dataDir];
      const { stdout, stderr } = spawnSync('unshare', ['-Ur', 'sh', '-c', forbid, 'sh', ...node], { encoding: 'utf8' });
      const outcome = JSON.parse(stdout === '' ? stderr : stdout) as Fence & { readonly ok: boolean };
      expect(outcome).to.include({ hasNamespaces: false, ok: true });
      expect(outcome.launcher).to.deep.equal(LIMITS_LAUNCHER);
      expect(outcome.nodeFlags).to.deep.equal(fence.nodeFlags);
      expect(outcome.lacks[0]).to.match(/^namespaces.+\(unshare: .+\)$/);
    });
  });

  it('is the same for drawing processes, and appears in the log once', async () => {
    const lines: string[] = [];
    const log = createLog(
      { LOG_LEVEL: 'info' },
      { write: (line: string) => line.includes('sandbox') && lines.push(line) },
    );
    const env = readEnv({ DATA_DIR: dataDir, RENDER_THREADS: '1' }, 'test');
    const rasterizer = openServiceRasterizer({
      ...{ env, log, metrics: undefined },
      fence: await openServiceFence(dataDir, log),
    });
    await Promise.all([rasterizer.rasterize(PICTURE), rasterizer.rasterize(PICTURE)]);
    const running = workers('rasterize/process-entry.js');
    expect(running).to.not.be.empty;
    for (const id of running) expectBehindFence(id);
    await rasterizer.close();
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({ holds: fence.holds, lacks: fence.lacks });
  });

  it('is the same for sanitizing processes of an import', async () => {
    const icons = join(folder.path, 'icons');
    mkdirSync(icons);
    writeFileSync(join(icons, 'good.svg'), SVG);
    const source = await openSvgFolder({ folder: icons, kind: 'brands', prefix: null, title: 'Test', license: 'MIT' });
    const tools = await openCatalogTools(embeddedIn(dataDir));
    const seen = new Set<string>();
    const onProgress = (): void => {
      for (const id of workers('sanitize/process-entry.js')) {
        expectBehindFence(id);
        seen.add(id);
      }
    };
    await tools.importSources(onProgress, [source]);
    await tools.close();
    expect(seen).to.not.be.empty;
  });

  describe("of Node's permission model", () => {
    before('this Node has one', function () {
      if (fence.nodeFlags.length === 0) this.skip();
    });

    it('lets JavaScript read only its own code, write nothing and start no process', async () => {
      const run: Attempt = { what: 'run', on: 'true' };
      const outcomes = await attempt({ ...fence, launcher: [] }, [...reads(), ...changes(), run]);
      expect(outcomes).to.deep.equal(outcomes.map(() => 'ERR_ACCESS_DENIED'));
    });
  });

  describe('of limits', () => {
    before('this machine has setpriv', function () {
      if (spawnSync('setpriv', ['--no-new-privs', 'true']).status !== 0) this.skip();
    });

    it('prevents writing to files and gaining privileges', async () => {
      const behind = { ...NO_FENCE, launcher: LIMITS_LAUNCHER };
      await draws(behind);
      const [status, limits] = await attempt(behind, [
        { what: 'read', on: '/proc/self/status' },
        { what: 'read', on: '/proc/self/limits' },
      ]);
      expect(status).to.match(/^NoNewPrivs:\s1$/m);
      const [outcome] = await attempt(behind, [{ what: 'write', on: join(dataDir, 'new') }]);
      expect(outcome).to.equal('EFBIG');
      expect(limits).to.match(/^Max file size +0 +0 /m);
      expect(limits).to.match(/^Max core file size +0 +0 /m);
      expect(limits).to.match(/^Max data size +3221225472 +3221225472 /m);
    });
  });
});
