// The license and the origin of the drawing file. The trademark of the brand is a separate right.
import { Card, Fact } from '../../components/card.js';
import { DialogButton } from '../../components/dialog.js';
import { Icon } from '../../components/icon.js';
import type { Entry } from '../../data/queries.js';
import { formatDate } from '../../format.js';
import { LinkOrText, OutsideLink, isWebAddress } from './outside-link.js';
import { ReportDialog } from './report-dialog.js';

export function RightsCard({ entry }: { readonly entry: Entry }) {
  const { title, license, guidelines, source, domains, aliases, provenance, retired, own, revision, updatedAt } = entry;
  return (
    <Card title="Rights and source">
      <div className="card-body stack">
        <div className="rights">
          <h3>Trademark</h3>
          <p>
            The name and logo of {title} belong to their owner. A license of the drawing file doesn’t permit you to use
            the trademark.
          </p>
          {isWebAddress(guidelines) && <OutsideLink href={guidelines}>Brand guidelines</OutsideLink>}
        </div>
        <dl className="facts">
          <Fact name="License of the drawing file">
            <LinkOrText text={license.type} url={license.url} />{' '}
            {!license.redistributable && <span className="badge warn">not redistributable</span>}
          </Fact>
          {source !== null && (
            <Fact name="Source of the drawing">
              <LinkOrText text={source} url={source} />
            </Fact>
          )}
          {provenance.length > 0 && (
            <Fact name="Imported from">
              {provenance.map((each) => `${each.package} ${each.version}`).join(', ')}
              {retired && ' (newer versions don’t contain this logo)'}
            </Fact>
          )}
          {domains.length > 0 && <Fact name="Domains">{domains.join(', ')}</Fact>}
          {aliases.length > 0 && <Fact name="Also known as">{aliases.join(', ')}</Fact>}
          <Fact name="Last change">
            {formatDate(updatedAt)}, revision <code>{revision}</code>
          </Fact>
        </dl>
        {own !== true && (
          <DialogButton size="small" dialog={(close) => <ReportDialog entry={entry} onClose={close} />}>
            <Icon name="report" size={15} /> Report a wrong logo
          </DialogButton>
        )}
      </div>
    </Card>
  );
}
