// Displayed titles of entries.
import { expect } from 'chai';
import { titleOf } from '../../../src/catalog/import/titles.js';

const POLICY = {
  spellings: ['AWS', 'TSMC', 'API', 'DynamoDB', "Let's Encrypt", 'GitHub Codespaces'],
  vendorPrefixes: { 'aws-': ['AWS', 'Amazon'], 'gcp-': ['Google Cloud', 'Google'], 'k8s-': ['Kubernetes'] },
};

describe('titles', () => {
  const TITLES: readonly (readonly [slug: string, title: string, shown: string])[] = [
    ['aws-s3', 'Aws S3', 'AWS S3'],
    ['aws-dynamodb', 'Aws Dynamodb', 'AWS DynamoDB'],
    ['tsmc', 'Tsmc', 'TSMC'],
    ['api', 'api', 'api'],
    ['apiary', 'Apiary', 'Apiary'],
    ['letsencrypt', 'Letsencrypt', "Let's Encrypt"],
    ['githubcodespaces', 'Githubcodespaces', 'GitHub Codespaces'],
    ['fastapi', 'FastAPI', 'FastAPI'],
    ['k8s-user', 'User', 'Kubernetes User'],
    ['gcp-cloud-run', 'Cloud Run', 'Google Cloud Run'],
    ['gcp-api', 'Api', 'Google Cloud API'],
    ['gcp-google-maps-platform', 'Google Maps Platform', 'Google Maps Platform'],
    ['aws-connect', 'Amazon Connect', 'Amazon Connect'],
  ];
  for (const [slug, title, shown] of TITLES)
    it(`${title} of ${slug} is ${shown}`, () => {
      expect(titleOf(slug, title, POLICY)).to.equal(shown);
    });
});
