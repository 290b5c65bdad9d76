/** Descriptions of routes that have none; `/*` covers everything below, `-` hides routes that nobody calls by hand. */
export const NOTES: Readonly<Record<string, string>> = {
  '/': 'The web page',
  '/api/charts/*': '-',
  '/api/docs': 'Page to explore this API',
  '/api/docs/*': '-',
  '/api/live': 'Live events, by WebSocket or Server-Sent Events; see [events](events.md)',
  '/api/socket_admission': '-',
  '/api/socket_admission/*': '-',
  '/livez': 'The process answers',
  '/mcp': 'MCP, streamable HTTP; see [tools](tools.md)',
  '/metrics': 'Prometheus metrics',
  '/plugins': 'The running plugins, what they use, and their faults',
  '/plugins/http/identity': 'Proof that this is the service of a data folder: an HMAC over the nonce, for the command line; needs no token',
  '/plugins/management': 'The configuration file of the service; for the command line, on this machine only',
  '/plugins/management/:act': 'Adding, testing, removing printers; for the command line, on this machine only',
  '/plugins/web/*': '-',
  '/readyz': 'Set up and not shutting down; 503 otherwise',
  '/recordings': 'Page with all recordings, and what is recorded of each printer',
  '/recordings/*': '-'
}
