// Command that fills `.servers/` with the database servers that the tests need and this machine lacks.
import { installMissingServers } from './server-binaries.js';

installMissingServers();
