/** What routes without a description of their own are; with `/*` all below that, `-` for what nobody calls by hand. */
export const NOTES: Readonly<Record<string, string>> = {
  '/': 'The page for people',
  '/api/charts/*': '-',
  '/api/docs': 'Page to explore this API',
  '/api/docs/*': '-',
  '/api/live': 'News as they happen, by WebSocket or Server-Sent Events; see [events](events.md)',
  '/api/socket_admission': '-',
  '/api/socket_admission/*': '-',
  '/livez': 'The process answers',
  '/mcp': 'MCP, streamable HTTP; see [tools](tools.md)',
  '/metrics': 'Figures for Prometheus',
  '/plugins': 'Which plugins run, what they touch, and what went wrong in them',
  '/plugins/http/identity': 'Proof that this is the service of a data folder: an HMAC over the nonce, for the command line; needs no token',
  '/plugins/management': 'Which configuration file the service reads; for the command line, on this machine only',
  '/plugins/management/:act': 'Adding, testing, removing printers; for the command line, on this machine only',
  '/plugins/web/*': '-',
  '/readyz': 'Set up and not shutting down; 503 otherwise'
}
