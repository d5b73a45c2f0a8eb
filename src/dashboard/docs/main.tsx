// Entry of /docs: the header of all pages above the reference.
import '../styles/base.css';
import '../styles/header.css';
import './docs.css';
import { createRoot } from 'react-dom/client';
import { Header } from '../components/header.js';
import { restore } from '../session/session.js';
import { showReference } from './reference.js';

const header = document.querySelector('#header');
if (!header) throw new Error('The page has no #header.');
createRoot(header).render(<Header path="/docs" skipTo="reference" navigate={(path) => location.assign(path)} />);
void restore(false).catch(() => undefined);
await showReference();
