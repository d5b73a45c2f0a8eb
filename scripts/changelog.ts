// Checks and dates the section of a release in CHANGELOG.md.

/**
 * Returns the changelog with the date of the release. Throws if the section of the version is missing, empty or already
 * dated.
 */
export function datedChangelog(text: string, version: string, date: Date): string {
  const heading = `## ${version} – unreleased\n`;
  const at = text.indexOf(heading);
  if (at === -1)
    throw new Error(
      `CHANGELOG.md has no section "${heading.trim()}". Write what users notice, then repeat the command.`,
    );
  const rest = text.slice(at + heading.length);
  const section = rest.slice(0, rest.includes('\n## ') ? rest.indexOf('\n## ') : undefined);
  if (!/^- \S/m.test(section)) throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return `${text.slice(0, at)}## ${version} – ${date.toISOString().slice(0, 10)}\n${rest}`;
}
