// Schemas of counted responses, which analytics and the export share.
import { z } from 'zod';
import { STATUS_CLASSES, type StatusClass } from '../../../domain/metering/day-responses.js';
import { count } from '../../scalars.js';
import { slugField } from '../catalog/entry-schema.js';

export const responseCounts = z
  .object(Object.fromEntries(STATUS_CLASSES.map((name) => [name, count])) as Record<StatusClass, typeof count>)
  .meta({ id: 'ResponseCounts', description: 'Responses by class of status.' });

export const slugRequests = z
  .object({ slug: slugField, requests: count })
  .meta({ id: 'SlugRequests', description: 'How often an entry or its picture was answered.' });
