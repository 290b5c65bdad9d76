import type { Contributions } from './types.js'

/** The lists that built-in plugins read. Other plugins may declare lists of their own. */
export const CONTRIBUTION_LISTS = {
  alerts: true,
  apps: true,
  charts: true,
  collections: true,
  gauges: true,
  healthDetectors: true,
  healthHistory: true,
  liveTopics: true,
  messageTargets: true,
  migrations: true,
  operations: true,
  pages: true,
  panels: true,
  prompts: true,
  rawTools: true,
  resources: true,
  routes: true,
  ruleEvents: true,
  ruleNames: true,
  ruleValues: true,
  slicers: true,
  socketTopics: true,
  streams: true,
  tools: true
} satisfies Partial<Record<keyof Contributions, true>>
