// Installs missing database servers for the tests into `.servers/`.
import { installMissingServers } from './server-binaries.js';

installMissingServers();
