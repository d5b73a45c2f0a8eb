// Reports about wrong logos, for operators.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNote } from '../../components/note.js';
import { Preview } from '../../components/preview.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { sendSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { logoReports, type LogoReport } from '../../data/queries.js';
import { formatDate, formatNumber } from '../../format.js';
import { useTheme } from '../../theme.js';
import { PageHead } from './page-head.js';
import { REASONS } from '../../report-reasons.js';

const LOGO_PX = 48;

export default function ReportsPage() {
  const query = useQuery(logoReports);
  return (
    <>
      <PageHead title="Reports" lead="Logos that visitors reported as wrong." />
      <QueryContent query={query}>
        {({ isOperator, reports }) =>
          !isOperator || reports.length === 0 ? (
            <section className="card" aria-label="Reports">
              <Empty icon="report" title={isOperator ? 'Nobody has reported a wrong logo' : 'For operators only'}>
                <p>
                  {isOperator
                    ? 'Visitors can report a wrong logo on its page. Their reports appear here.'
                    : 'Ask the operator of this service to add your address to OPERATOR_EMAILS.'}
                </p>
                <a className="button primary" href={isOperator ? '/catalog' : '/overview'}>
                  {isOperator ? 'Browse the catalog' : 'Go to the overview'}
                </a>
              </Empty>
            </section>
          ) : (
            <Card title={`${formatNumber(reports.length)} ${reports.length === 1 ? 'logo' : 'logos'}`}>
              <ul className="list">
                {reports.map((report) => (
                  <Row key={report.slug} report={report} />
                ))}
              </ul>
            </Card>
          )
        }
      </QueryContent>
    </>
  );
}

function Row({ report: { slug, reasons, comments, lastAt } }: { readonly report: LogoReport }) {
  const on = useTheme();
  const removing = useMutation({
    mutationFn: () => sendSignedIn(`/dashboard/reports/${slug}`, { method: 'DELETE' }),
    onSuccess: async () => {
      await refetch(logoReports.queryKey);
      announce(`Reports about ${slug} removed`);
    },
  });
  return (
    <li>
      <Preview slug={slug} alt="" size={LOGO_PX} query={{ on }} />
      <div className="grow">
        <a href={`/catalog/${slug}`}>
          <strong>{slug}</strong>
        </a>
        <span className="small quiet">
          {REASONS.flatMap(([reason, text]) => (reasons[reason] ? [`${text} (${reasons[reason]})`] : [])).join(' · ')}
          {` · last on ${formatDate(lastAt)}`}
        </span>
        {comments.map(({ text, at }) => (
          <p key={at + text} className="small comment">
            {text}
          </p>
        ))}
        <ErrorNote error={removing.error} />
      </div>
      <Button
        size="small"
        busy={removing.isPending}
        aria-label={`Mark as done: ${slug}`}
        onClick={() => removing.mutate()}
      >
        Mark as done
      </Button>
    </li>
  );
}
