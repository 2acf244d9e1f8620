#!/bin/sh
set -e
npm test
npm version "$1"
git push --follow-tags
