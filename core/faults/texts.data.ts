/** Own words for numbers that users meet often, by their hexadecimal digits: 8 of an error, 16 of an HMS entry. */
export const OWN_TEXTS: Readonly<Record<string, string>> = {
  '0300400C': 'The job was cancelled.',
  '0500400E': 'The job was cancelled.',
  '05004004': 'The printer is busy and cannot start another job.',
  '03008003': 'Spaghetti was seen: the print may have come loose. The job is paused.',
  '0500C04B': 'Drying cannot start: filament is at the outlet of the AMS. Unload it first.',
  '0500C04F': 'The AMS is drying. Stop the drying before loading filament.',
  '05024007': 'The printer takes only signed commands. Switch on LAN-only mode and Developer mode on its screen.',
  '07FF8012': 'The filament mapping of the job does not fit what is loaded.',
  '07008012': 'The filament mapping of the job does not fit what is loaded.',
  '0500050000010007': 'The printer refuses unsigned commands. Switch on LAN-only mode and Developer mode on its screen.'
}
