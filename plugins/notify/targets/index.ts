import { discord } from './discord.js'
import { email } from './email.js'
import { mqtt } from './mqtt.js'
import { ntfy } from './ntfy.js'
import { pushover } from './pushover.js'
import { slack } from './slack.js'
import { telegram } from './telegram.js'
import { webhook } from './webhook.js'
import type { MessageTargetKind } from './types.js'

/** The built-in kinds of targets. */
export const kinds: readonly MessageTargetKind[] = [webhook, ntfy, telegram, discord, slack, pushover, email, mqtt]
