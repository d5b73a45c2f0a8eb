// Entry script of the guides. It renders the header that all pages share. The text of the guide is already in the HTML
// document.
import '../styles/base.css';
import '../styles/header.css';
import '../styles/parts.css';
import './guide.css';
import { createRoot } from 'react-dom/client';
import { restore } from '../api/session.js';
import { Header } from '../components/header.js';

const root = document.querySelector<HTMLElement>('#root');
if (!root) throw new Error('The page has no #root.');
void restore(false).catch(() => undefined);
createRoot(root).render(<Header path={root.dataset.path ?? ''} navigate={(path) => location.assign(path)} />);
