// Entry script of the dashboard's pages.
import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/header.css';
import './styles/parts.css';
import './styles/layout.css';
import './styles/front-page.css';
import './styles/catalog.css';
import './styles/usage.css';
import './styles/billing.css';
import './styles/own-brands.css';
import './styles/logos-in-use.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { queryClient } from './data/client.js';
import { App } from './app.js';
import { aroundNavigation } from './hooks/history-entries.js';

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no #root.');
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <Router aroundNav={aroundNavigation}>
      <App />
    </Router>
  </QueryClientProvider>,
);
